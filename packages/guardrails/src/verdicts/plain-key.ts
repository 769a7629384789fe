/** A key as the tables of keys write it: in lower case, with neither blanks, marks nor underscores. */
export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
}
