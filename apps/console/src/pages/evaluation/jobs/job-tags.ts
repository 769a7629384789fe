import type { EvaluationJob } from "@assay/schemas"

/** Returns the tags of a job: the texts of `tags` in its custom fields. */
export function tagsOf({ custom_fields: fields }: Pick<EvaluationJob, "custom_fields">): readonly string[] {
  const tags: unknown = fields["tags"]
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string" && tag !== "") : []
}

/** Returns the custom fields of a job with other tags. The list goes with its last tag. */
export function withTags(
  { custom_fields }: Pick<EvaluationJob, "custom_fields">,
  tags: readonly string[],
): EvaluationJob["custom_fields"] {
  const { tags: _tags, ...others } = custom_fields
  return tags.length === 0 ? others : { ...others, tags: [...new Set(tags)] }
}
