import { describe, expect, it } from 'vitest';
import { contour, labelPlace, pathOf, refined, regionAbove, roundLevels, type Lattice, type Piece } from '../../src/charts/contours';

const marks = Array.from({ length: 21 }, (_, i) => i / 10);
const lattice = (height: (x: number, y: number) => number): Lattice => ({
  xs: marks,
  ys: marks,
  values: marks.map((x) => marks.map((y) => height(x, y))),
});
const times100 = (x: number, y: number): [number, number] => [100 * x, 100 * y];

/** Area of all polygons of a path. */
function area(path: string): number {
  return path
    .split('M')
    .slice(1)
    .map((part) => part.replace('Z', '').split('L').map((point) => point.split(' ').map(Number)))
    .reduce((sum, points) => {
      const twice = points.reduce((total, [x, y], i) => {
        const [nextX, nextY] = points[(i + 1) % points.length];
        return total + x * nextY - nextX * y;
      }, 0);
      return sum + Math.abs(twice) / 2;
    }, 0);
}

const length = (pieces: Piece[]): number =>
  pieces.reduce((sum, [[x, y], [toX, toY]]) => sum + Math.hypot(toX - x, toY - y), 0);

describe('contours', () => {
  it('of a slope are straight, and cut the square where they should', () => {
    const slope = lattice((x) => x);
    expect(area(regionAbove(slope, 0.55, times100))).toBeCloseTo(145 * 200, 6);
    expect(length(contour(slope, 0.55, times100))).toBeCloseTo(200, 6);
  });

  it('of a cone are circles', () => {
    const cone = lattice((x, y) => Math.hypot(x - 1, y - 1));
    expect(length(contour(cone, 0.77, times100))).toBeCloseTo(2 * Math.PI * 77, -1);
    expect(area(regionAbove(cone, 0.77, times100)) / (40000 - Math.PI * 77 ** 2)).toBeCloseTo(1, 2);
  });

  it('of what is all above, or all below, are none', () => {
    const plain = lattice(() => 3);
    expect(contour(plain, 4, times100)).toEqual([]);
    expect(regionAbove(plain, 4, times100)).toBe('');
    expect(contour(plain, 2, times100)).toEqual([]);
    expect(area(regionAbove(plain, 2, times100))).toBeCloseTo(40000, 6);
  });

  it('leave out no numbers where a value is infinite', () => {
    const wall = lattice((x) => (x > 1.05 ? Infinity : 0));
    expect(regionAbove(wall, 1, times100)).not.toContain('NaN');
    expect(pathOf(contour(wall, 1, times100))).not.toContain('NaN');
  });

  it('are labeled where they cross the way', () => {
    const cone = lattice((x, y) => Math.hypot(x - 1, y - 1));
    const [x, y] = labelPlace(contour(cone, 0.5, times100), [100, 100], [200, 100])!;
    expect(Math.hypot(x - 150, y - 100)).toBeLessThan(6);
    expect(labelPlace([], [0, 0], [1, 1])).toBeNull();
  });

  it('have round heights', () => {
    expect(roundLevels(47, 10)).toEqual([1, 2.5, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
    expect(roundLevels(1, 5)).toEqual([0.04, 0.1, 0.2, 0.4, 0.6, 0.8]);
    expect(roundLevels(0, 5)).toEqual([]);
  });

  it('of a refined lattice keep what was known and follow a parabola inside', () => {
    const bowl = lattice((x, y) => x * x + 3 * x * y);
    const fine = refined(bowl);
    expect(fine.xs).toHaveLength(41);
    expect(fine.values[20][20]).toBe(bowl.values[10][10]);
    expect(fine.values[21][7]).toBeCloseTo(fine.xs[21] ** 2 + 3 * fine.xs[21] * fine.ys[7], 12);
  });
});
