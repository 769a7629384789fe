/**
 * How probable a yes/no judge holds a risk, from the log-probabilities of its two answer tokens: e^yes / (e^yes + e^no).
 * A token that is not among those reported (null) has no probability; null where neither is. Source: Granite Guardian's
 * method, Padhi et al., arXiv 2412.07724.
 */
export function riskProbability(logprobYes: number | null, logprobNo: number | null): number | null {
  const yes = logprobYes ?? -Infinity
  const no = logprobNo ?? -Infinity
  if (yes === -Infinity && no === -Infinity) return null
  return 1 / (1 + Math.exp(no - yes))
}
