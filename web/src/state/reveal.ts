/** Sections above grow while their first answers come; for so long the one asked for is kept in place. */
const settling = 8000;

/** Scrolls to a section and stays there until the page has settled or somebody moves it. */
export function reveal(id: string): void {
  const section = document.getElementById(id);
  const page = section?.parentElement;
  if (!section || !page) return;
  const hold = (): void => section.scrollIntoView({ behavior: 'instant' });
  const observer = new ResizeObserver(hold);
  const moves = ['wheel', 'pointerdown', 'keydown', 'touchstart'];
  const end = (): void => {
    observer.disconnect();
    for (const move of moves) removeEventListener(move, end);
  };
  for (const move of moves) addEventListener(move, end, { passive: true });
  setTimeout(end, settling);
  observer.observe(page);
  hold();
}
