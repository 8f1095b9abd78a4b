declare module '*.tex' {
  const formulas: Record<string, string>;
  export default formulas;
}

declare module 'virtual:engine/bytes' {
  export const bytes: () => Promise<ArrayBuffer>;
}
