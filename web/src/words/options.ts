import type { Descent, Task } from '../state/learning';
import { plain } from './number';

/** Options by their names, in order. */
export function options(values: Record<string, number | string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [
    `--${name}`,
    typeof value === 'number' ? plain(value) : value,
  ]);
}

export type Entropy = 'exact' | 'smooth';

/** Exact entropies are the program's default: the command that is copied need not say so. */
export const entropyOption = (entropy: Entropy): string[] => (entropy === 'smooth' ? ['--entropy', 'smooth'] : []);

export const taskOptions = (task: Task): string[] =>
  options({ w: task.w, 'sigma-x': task.sigmaX, 'sigma-xi': task.sigmaXi });

export const descentOptions = (descent: Descent): string[] =>
  options({ batch: descent.batch, eta: descent.eta, w0: descent.w0 });

export const temperatureOption = (kelvin: number): string[] => (kelvin === 300 ? [] : options({ temperature: kelvin }));

/** Signal-to-noise ratio of a task whose features are independent and alike. */
export const signalToNoise = (task: Task, features: number): number =>
  features * ((task.w * task.sigmaX) / task.sigmaXi) ** 2;

/** The coefficient, of the sign it had, that has this signal-to-noise ratio. */
export function coefficientFor(snr: number, task: Task, features: number): number {
  const size = (Math.sqrt(snr / features) * task.sigmaXi) / task.sigmaX;
  return Number((task.w < 0 ? -size : size).toPrecision(6));
}
