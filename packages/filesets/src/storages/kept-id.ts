/** Digits of a time in milliseconds. */
const TIME = 13

/**
 * Returns the id of a kept version: the time, the fileset, and a unique text. It is also the name of the bytes. Filesets on the same folder
 * of a user have their kept bytes in one place.
 */
export function keptId(filesetId: string, at: number, unique: string): string {
  return `${String(at).padStart(TIME, "0")}-${filesetId}-${unique}`
}

export function isKeptOf(filesetId: string, id: string): boolean {
  return id.startsWith(`${filesetId}-`, TIME + 1)
}

/** Returns when the bytes were kept, in milliseconds since 1970. */
export function keptAt(id: string): number {
  return Number(id.slice(0, TIME))
}
