const VAGUE_NAMES = new Set(["utils", "util", "helpers", "helper", "common", "core", "misc"])

/** Returns the vague or misformatted names in a path, each as a sentence. */
export function nameFaults(path: string): readonly string[] {
  const parts = path.split("/").map((part) => part.replace(/^\./, ""))
  const stems = parts.map((part) => part.split(".")[0] ?? part)
  return [
    ...stems.filter((stem) => VAGUE_NAMES.has(stem)).map((stem) => `${path}: "${stem}" says nothing.`),
    ...parts
      .filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(part))
      .map((part) => `${path}: "${part}" is not in kebab-case.`),
  ]
}
