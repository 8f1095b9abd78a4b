interface Between {
  min: number;
  max: number;
}

const steps: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** Where a key takes a value: a hundredth of the way, on a log axis a tenth of a decade; null: not our key. */
export function moved(key: string, value: number, { min, max }: Between, isLog: boolean): number | null {
  if (key === 'Home') return min;
  if (key === 'End') return max;
  const count = steps[key];
  if (count === undefined) return null;
  const next = isLog ? value * 10 ** (count / 10) : value + (count * (max - min)) / 100;
  return Math.min(max, Math.max(min, Number(next.toPrecision(isLog ? 3 : 12))));
}
