import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"

/** The files of the folder in which a checkpoint is expected. */
export interface CheckpointFolder {
  /** `""` or `"alternates/hf/"`. */
  readonly folder: string
  /** The files directly in the folder, by name. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** The files in its folder `additional_chat_templates`, by the name of their template. At most 20. */
  readonly templates: ReadonlyMap<string, StoredFile>
  /** Other folders that contain a config or weights. */
  readonly elsewhere: readonly string[]
}

/** The folder of a checkpoint if another form of the model (ONNX, an engine) is at the root. */
const PREFERRED = "alternates/hf/"
const MAX_ELSEWHERE = 5
/** A template of a checkpoint beside `chat_template.jinja`, in the layout of `transformers` 4.53 and later. */
const TEMPLATE = /^(.*\/)?additional_chat_templates\/([^/]+)\.jinja$/
const MAX_TEMPLATES = 20

/** Finds the checkpoint: in `alternates/hf` if that folder exists, or else at the root. It takes one listing. */
export async function findCheckpoint(reader: CheckpointReader): Promise<CheckpointFolder> {
  const root = new Map<string, StoredFile>()
  const preferred = new Map<string, StoredFile>()
  const elsewhere = new Set<string>()
  const templates: { readonly folder: string; readonly name: string; readonly file: StoredFile }[] = []
  for await (const file of reader.list()) {
    const slash = file.path.lastIndexOf("/") + 1
    const folder = file.path.slice(0, slash)
    const name = file.path.slice(slash)
    const [, above = "", template] = TEMPLATE.exec(file.path) ?? []
    if (template !== undefined) templates.push({ folder: above, name: template, file })
    if (folder === "") root.set(name, file)
    else if (folder === PREFERRED) preferred.set(name, file)
    else if (indicatesCheckpoint(name) && elsewhere.size < MAX_ELSEWHERE) elsewhere.add(folder)
  }
  const files = preferred.size > 0 ? preferred : root
  const own = preferred.size > 0 ? PREFERRED : ""
  return {
    folder: own,
    files,
    templates: new Map(
      templates
        .filter(({ folder }) => folder === own)
        .slice(0, MAX_TEMPLATES)
        .map(({ name, file }) => [name, file]),
    ),
    elsewhere: [...elsewhere],
  }
}

function indicatesCheckpoint(name: string): boolean {
  return name === "config.json" || /\.(safetensors|gguf)$/.test(name)
}
