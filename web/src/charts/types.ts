// What a chart is told. Colors are names in style.css: 'sign', 'exponent', 'mantissa', 'ink', 'muted'.

export type Color = 'sign' | 'exponent' | 'mantissa' | 'ink' | 'muted';
export type Point = [x: number, y: number];

export interface Axis {
  label: string;
  kind?: 'linear' | 'log';
  domain: [number, number];
  /** About how many ticks; a number of pixels decides otherwise. */
  ticks?: number;
  format?: (value: number) => string;
}

export interface Line {
  name: string;
  /** A y that is not finite leaves a gap. */
  points: Point[];
  color: Color;
  /** Of what is not exact, so that it is not told by color alone. */
  dashed?: boolean;
  /** Stairs, as wide as from one x to the next. */
  stairs?: boolean;
  /** Not in the legend. */
  quiet?: boolean;
  width?: number;
}

/** A filled stretch between two curves. */
export interface Band {
  name: string;
  points: [x: number, low: number, high: number][];
  color: Color;
  /** As of a line. */
  stairs?: boolean;
  quiet?: boolean;
}

/** A filled rectangle from y = 0 (or the bottom of a log axis). */
export interface Bar {
  left: number;
  right: number;
  value: number;
  color: Color;
}

export interface Mark {
  x: number;
  y: number;
  label?: string;
  /** 'none': only its label. */
  look?: 'dot' | 'star' | 'none';
  /** Its label stands below it, not above. */
  isBelow?: boolean;
  color?: Color;
}

/** A line across the whole picture, at an x or at a y. */
export interface Rule {
  x?: number;
  y?: number;
  label?: string;
  color?: Color;
}

/** Something to drag, also by arrow keys. */
export interface Handle {
  name: string;
  x: number;
  y: number;
  /** Which coordinate it changes; 'both': x is between min and max, y as `vertical` says. */
  along: 'x' | 'y' | 'both';
  min: number;
  max: number;
  vertical?: { min: number; max: number };
  /** The coordinate that it changes; if both, x and y. */
  onmove: (value: number, other: number) => void;
  /** When it is taken and when it is let go: a picture that moves with it can stand still meanwhile. */
  onhold?: (isHeld: boolean) => void;
  /** What is read out. */
  text?: string;
  look?: 'dot' | 'shoulder';
  testid?: string;
}

/** One part of a waterfall. */
export interface Step {
  name: string;
  from: number;
  to: number;
  /** The amount, as it is written at the right. */
  text: string;
  color: Color;
  /** Hatched: a part of something, not a further amount. */
  isPart?: boolean;
}
