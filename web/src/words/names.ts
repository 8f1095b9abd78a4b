/** The paper's formats, p24e8: only these have smooth entropies. */
export const isIdealized = (format: string): boolean => /^p\d+e\d+$/i.test(format);
