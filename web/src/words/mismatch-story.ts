import type { MismatchAnswer } from '../engine/answers';
import type { MismatchState } from '../state/learning';
import { short } from './number';

const nats = (value: number): string => `${short(value, 4)} nats`;

/** Where the least is; a deviation at the edge of the box would go further if it could. */
function place(answer: MismatchAnswer): string {
  const [first] = answer.optima;
  const edge = (isThere: boolean | undefined): string => (isThere ? ' (the edge of the box)' : '');
  return `σx = ${short(answer.sigma_x_star, 3)}${edge(first?.sigma_x_at_bound)}, σξ = ${short(answer.sigma_xi_star, 3)}${edge(first?.sigma_xi_at_bound)}`;
}

export function mismatchStory(answer: MismatchAnswer, { sigmaX, sigmaXi }: MismatchState): string {
  const here = `Data with σx = ${short(sigmaX, 3)} and σξ = ${short(sigmaXi, 3)}`;
  const best = answer.unique ? place(answer) : `${place(answer)}, or others that are as good`;
  if (answer.mmc_nats < 0) return `${here} are outside the box, and suit this machine better than all in it, by ${nats(-answer.mmc_nats)}.`;
  if (answer.mmc_nats < 1e-3) return `${here} suit this machine best: there is no mismatch to pay for.`;
  return `${here} make this machine produce ${nats(answer.mmc_nats)} more entropy than those that suit it best: ${best}.`;
}
