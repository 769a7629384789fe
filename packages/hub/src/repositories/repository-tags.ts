import type { Fileset, Filter } from "@assay/schemas"

const PROJECT = "project"
/** Longer values are descriptions rather than tags. */
const MAX_TAG_CHARACTERS = 200
const MAX_TAGS = 100

/**
 * Returns the tags of a fileset: its project as `project:…`, and each custom field with a text as `key:text`, such as `language:en`. Clients
 * filter lists by tags of this form.
 */
export function tagsOf({ project, custom_fields }: Pick<Fileset, "project" | "custom_fields">): string[] {
  const pairs = [...(project === "" ? [] : [[PROJECT, project]]), ...Object.entries(custom_fields)]
  return pairs
    .flatMap(([key, value]) => (typeof value === "string" && value !== "" ? [`${key}:${value}`] : []))
    .filter((tag) => tag.length <= MAX_TAG_CHARACTERS)
    .slice(0, MAX_TAGS)
}

/** Returns the filter for filesets with a tag. No fileset has a tag without a colon. */
export function filterOfTag(tag: string): Filter {
  const colon = tag.indexOf(":")
  const [key, text] = [tag.slice(0, colon), tag.slice(colon + 1)]
  if (colon <= 0 || text === "") return { kind: "or", filters: [] }
  const operands = [{ readings: [text], written: text }]
  const field = (column: "project" | "custom_fields", path: readonly string[]) => ({ column, path })
  const custom: Filter = { kind: "comparison", field: field("custom_fields", [key]), operator: "$eq", operands }
  if (key !== PROJECT) return custom
  return {
    kind: "or",
    filters: [custom, { kind: "comparison", field: field("project", []), operator: "$eq", operands }],
  }
}
