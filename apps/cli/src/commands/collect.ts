/** For an option that may be given several times: all of its values, in order. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
