// Which sections are on the screen, or nearly so. What nobody sees need not follow every move of a drag.

const sections = new Map<string, boolean>();

/** To be called once the sections are there; returns how to end it. */
export function watchSections(): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) sections.set(entry.target.id, entry.isIntersecting);
    },
    { rootMargin: '25%' },
  );
  for (const section of document.querySelectorAll('main > section')) observer.observe(section);
  return () => observer.disconnect();
}

/** For follow(): ask at once for a section that is seen, and for another when nothing has changed for a moment. */
export function soon<Value>(section: string, ask: () => Promise<Value>): Promise<Value> | (() => Promise<Value>) {
  return sections.get(section) === false ? ask : ask();
}
