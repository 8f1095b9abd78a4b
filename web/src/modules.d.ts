declare module '*.tex' {
  const formulas: Record<string, string>;
  export default formulas;
}

declare module 'virtual:engine/glue' {
  export default function start(options: object): Promise<unknown>;
}

declare module 'virtual:engine/bytes' {
  export const bytes: () => Promise<ArrayBuffer>;
}
