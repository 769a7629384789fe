/** Says that labels of picked rows do not count, because only drawn rows are a sample of all; nothing if there are none. */
export function pickedLabelsNote(count: number): readonly string[] {
  if (count === 0) return []
  const labels = count === 1 ? "1 label of a picked row is" : `${count} labels of picked rows are`
  return [`${labels} not used: only drawn rows are a sample of all.`]
}
