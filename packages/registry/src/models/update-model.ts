import type { UpdateModel } from "@assay/schemas"
import { checkFreeForm } from "../check-free-form.ts"
import { checkStorable } from "../check-storable.ts"
import { changeTime } from "../database/change-time.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { ModelRow } from "./model-row.ts"

/** Replaces the values that `body` names; null empties them. Answers undefined where it names none, and where there is no such model. */
export async function updateModel(
  { database, now }: RegistryContext,
  address: { readonly workspace: string; readonly name: string },
  body: UpdateModel,
): Promise<ModelRow | undefined> {
  checkFreeForm(body)
  checkStorable(body)
  const { description, project, custom_fields } = body
  const changes = {
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(project === undefined ? {} : { project: project ?? "" }),
    ...(custom_fields === undefined ? {} : { custom_fields: JSON.stringify(custom_fields ?? {}) }),
  }
  if (Object.keys(changes).length === 0) return undefined
  return database.write((queries) =>
    queries
      .updateTable("models")
      .set({ ...changes, updated_at: changeTime(now()) })
      .where((row) => row.and(address))
      .returningAll()
      .executeTakeFirst(),
  )
}
