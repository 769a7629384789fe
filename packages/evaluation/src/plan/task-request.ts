import { compileRequestTemplate, type RequestTemplate } from "./request-template.ts"
import type { TaskToShape } from "./task-shape.ts"

/** The template of a task's requests; undefined where it has none, or one that is an issue. */
export function taskRequest({
  name,
  task,
  issues,
}: Pick<TaskToShape, "name" | "task" | "issues">): RequestTemplate | undefined {
  const source = task.params?.template
  if (source === undefined || source === null) return undefined
  const request = issues.attempt(() => compileRequestTemplate(source, `tasks.${name}.params.template`))
  for (const { name: place, template } of request?.templates ?? []) {
    const early = template.reads.find(({ path: [first], isOptional }) => first === "sample" && !isOptional)
    if (early === undefined) continue
    const rule = "there is no sample before the model has answered; read 'item'"
    issues.add(
      `The template '${place}' reads '${early.path.join(".")}' (line ${early.line}): ${rule}.`,
      "template_error",
    )
  }
  return request
}
