import { readFolderSide } from "./read-folder-side.ts"
import { readSides } from "./read-sides.ts"

/** The results that a verdict was computed from, for a bundle. */
export const evidenceSides = { read: readSides, readFolder: readFolderSide }
