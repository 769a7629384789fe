import { openBundleFile } from "./open-bundle-file.ts"
import { readFolderSide } from "./read-folder-side.ts"
import { readSides } from "./read-sides.ts"

/** Bundles, and the results that their verdicts were computed from. */
export const evidenceSides = { read: readSides, readFolder: readFolderSide, openFile: openBundleFile }
