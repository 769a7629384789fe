import type { CallerFilesets } from "@assay/filesets"
import { invalidRequest, isAssayError, LABELS_FILE, LABELS_FILESET } from "@assay/schemas"
import { parseFilePath, type PathLocks } from "@assay/storage"
import type { LabelStore } from "./label-desk.ts"
import { MAX_LABEL_BYTES, readLabelText, tooManyLabels } from "./label-text.ts"
import { formatLabelRows, parseLabelRows } from "./label-rows.ts"

/** The address of a fileset with labels. */
export interface LabelLocation {
  readonly workspace: string
  readonly name: string
}

const LABELS_PATH = parseFilePath(LABELS_FILE)

/** How often somebody else may write between reading and writing. */
const MAX_ATTEMPTS = 20

/** Reads `workspace/name`, or `name` in the workspace of a job. @throws `invalid_request` */
export function labelLocationOf(text: string = LABELS_FILESET, workspace: string): LabelLocation {
  const parts = text.split("/")
  const [first = "", second] = parts
  if (parts.length > 2 || first === "" || second === "") {
    throw invalidRequest(
      ["fileset"],
      "This is not a fileset; write <workspace>/<name>.",
      "value_error",
      text.slice(0, 200),
    )
  }
  return second === undefined ? { workspace, name: first } : { workspace: first, name: second }
}

/** Opens the labels of a fileset. Without the fileset or the file there are none, and the first label creates them. */
export function openLabelFileset(
  { files, filesets }: Pick<CallerFilesets, "files" | "filesets">,
  location: LabelLocation,
  locks: PathLocks,
): LabelStore {
  const name = `${location.workspace}/${location.name}`
  return {
    name,
    /** @throws `invalid_request` for a line that is not a label */
    read: async () => parseLabelRows((await readFile(files, location)).text, `${name}#${LABELS_FILE}`),
    /** Labels that somebody else adds meanwhile stay. @throws `invalid_request` if the fileset is full, or has a line that is not a label */
    // Writers of this server take turns. Only those of other servers can be in between.
    add: (added) => locks.exclusive(name, () => addLabels(added)),
  }

  async function addLabels(added: Parameters<LabelStore["add"]>[0]): Promise<number> {
    await createFileset(filesets, location)
    for (let attempt = 1; ; attempt++) {
      const { text, etag } = await readFile(files, location)
      const before = await parseLabelRows(text, `${name}#${LABELS_FILE}`)
      const bytes = Buffer.from(formatLabelRows([...before, ...added]))
      if (bytes.length > MAX_LABEL_BYTES) throw tooManyLabels(`${name}#${LABELS_FILE}`)
      try {
        // Some stores have no ETags. There the last writer wins.
        const condition = etag === undefined ? { ifNoneMatch: "*" as const } : etag === null ? {} : { ifMatch: etag }
        await files.write(location.workspace, location.name, LABELS_PATH, piecesOf(bytes), condition)
        return before.length + added.length
      } catch (error) {
        if (!isAssayError(error, "precondition_failed") || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
}

async function createFileset(filesets: CallerFilesets["filesets"], { workspace, name }: LabelLocation): Promise<void> {
  try {
    await filesets.get(workspace, name)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const description = "Labels of people for rows of evaluation jobs"
    await filesets.create(workspace, { name, purpose: "dataset", description }).catch((failure: unknown) => {
      if (!isAssayError(failure, "already_exists")) throw failure
    })
  }
}

async function readFile(
  files: CallerFilesets["files"],
  location: LabelLocation,
): Promise<{ readonly text: string; readonly etag: string | null | undefined }> {
  try {
    const { file, bytes } = await files.read(location.workspace, location.name, LABELS_PATH)
    const text = await readLabelText(bytes, `${location.workspace}/${location.name}#${LABELS_FILE}`)
    return { text, etag: file.etag }
  } catch (error) {
    if (isAssayError(error, "not_found")) return { text: "", etag: undefined }
    throw error
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
