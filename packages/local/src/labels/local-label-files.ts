import { openFolderLabels } from "./open-folder-labels.ts"
import { readLocalLabels } from "./read-local-labels.ts"

/** Labels of people on this machine. */
export const localLabelFiles = Object.freeze({ openFolder: openFolderLabels, read: readLocalLabels })
