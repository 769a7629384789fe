/** Returns the entry of a dataset. Tasks that name a dataset in the same way share one. Undefined: the dataset could not be read. */
export function findSeen<Seen extends { readonly dataset: unknown }>(
  seen: readonly Seen[],
  dataset: unknown,
): Seen | undefined {
  const key = JSON.stringify(dataset)
  return seen.find((one) => JSON.stringify(one.dataset) === key)
}
