/** A key as the tables of keys write it: in lower case, with neither blanks, marks nor underscores. Other signs make another key. */
export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s\p{P}`~|+=<>^$]/gu, "")
}
