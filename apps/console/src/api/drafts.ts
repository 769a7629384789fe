import { FOLLOWED } from "./followed-ends.ts"

/** A text that somebody writes and has not sent. The browser keeps it until the user signs out. */
export interface Draft {
  readonly text: string
  /** When it was changed, in milliseconds. */
  readonly at: number
  /** The token or the person who wrote it. */
  readonly by: string
}

const PREFIX = "assay.draft."
/** Longer texts are not kept: a browser keeps few megabytes of a server. */
const MAX_LENGTH = 500_000
const MAX_DRAFTS = 20

/** Returns a draft of a user. Undefined: there is none, or somebody else wrote it. */
export function readDraft(name: string, by: string): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") as Draft | null
    return draft !== null && typeof draft.text === "string" && draft.by === by ? draft : undefined
  } catch {
    return undefined
  }
}

/** Keeps a draft, and removes the oldest of more than 20. An empty text removes it. */
export function keepDraft(name: string, draft: Draft): void {
  if (draft.text.trim() === "") return removeDraft(name)
  if (draft.text.length > MAX_LENGTH) return
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(draft))
    const age = (key: string) => (JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Draft>).at ?? 0
    const oldest = draftKeys().toSorted((one, other) => age(other) - age(one))
    for (const key of oldest.slice(MAX_DRAFTS)) localStorage.removeItem(key)
  } catch {
    // A full or forbidden storage keeps no draft. The page has the text still.
  }
}

export function removeDraft(name: string): void {
  localStorage.removeItem(PREFIX + name)
}

/** Removes all drafts, and what else this browser does for the user: nothing may be left for the next one. */
export function forgetDrafts(): void {
  localStorage.removeItem(FOLLOWED)
  for (const key of draftKeys()) localStorage.removeItem(key)
}

function draftKeys(): readonly string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
}
