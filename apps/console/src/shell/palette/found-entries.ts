/** Something that the palette leads to. */
export interface PaletteEntry {
  /** Its kind: a page, a fileset, a model, a job, help. */
  readonly kind: string
  readonly label: string
  /** Further words that find it, such as a workspace. */
  readonly hint: string
  readonly to: string
}

/** Entries that are shown. */
const MAX_SHOWN = 20

/** Returns the entries that contain every word of a text, in their order: first those with this label, then those whose label begins with it. */
export function findEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/u).filter(Boolean)
  const found = entries.filter(({ kind, label, hint }) => {
    const all = `${kind} ${label} ${hint}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const rank = ({ label }: PaletteEntry) => {
    const name = label.toLowerCase()
    return name === wanted ? 0 : wanted !== "" && name.startsWith(wanted) ? 1 : 2
  }
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_SHOWN)
}
