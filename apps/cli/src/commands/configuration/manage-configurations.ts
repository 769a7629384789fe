import { formatJson, formatTable, formatTime } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"
import { type ConfigurationKind, openConfigurations } from "./open-configurations.ts"

/** Returns the actions of `create|list|get|delete` of one kind. */
export function manageConfigurations(kind: ConfigurationKind) {
  return {
    create: async (
      context: Context,
      written: string,
      file: string,
      options: JsonOption & { readonly force?: boolean },
    ) => {
      const [workspace, name] = parseName(context, kind, written)
      const stored = openConfigurations(context, kind)
      const [record, done] = await stored.create(workspace, name, file).then(
        (created) => [created, "created"] as const,
        async (error: unknown) => {
          if (!isAssayError(error, "already_exists")) throw error
          if (options.force !== true) throw withForce(error, ["assay", ...kind.split(" "), "create", written, file])
          return [await stored.replace(workspace, name, file), "replaced"] as const
        },
      )
      await print(context, options, record, () => `${done} ${printable(`${workspace}/${name}`)}\n`)
    },
    list: async (context: Context, options: JsonOption & { readonly workspace?: string }) => {
      const { workspace = defaultWorkspace(context) } = options
      const data = await openConfigurations(context, kind).list(workspace)
      await print(context, options, { data }, (_result, layout) =>
        data.length === 0
          ? "none\n"
          : formatTable(
              data,
              [
                { heading: "NAME", cut: "middle", value: ({ name }) => name },
                { heading: "UPDATED", cut: "nothing", value: ({ updated_at }) => formatTime(updated_at, layout.now) },
                { heading: "DESCRIPTION", drop: 1, value: ({ description }) => description },
              ],
              layout,
            ),
      )
    },
    get: async (context: Context, written: string, options: JsonOption) => {
      const record = await openConfigurations(context, kind).get(...parseName(context, kind, written))
      await print(context, options, record, formatJson)
    },
    delete: async (context: Context, written: string, options: JsonOption & { readonly yes?: boolean }) => {
      const [workspace, name] = parseName(context, kind, written)
      await confirm(context, `Delete ${printable(`${workspace}/${name}`)}?`, options.yes)
      const record = await openConfigurations(context, kind).remove(workspace, name)
      await print(context, options, record, () => `deleted ${printable(`${workspace}/${name}`)}\n`)
    },
  }
}

/** Returns the error with the command that replaces the configuration. */
function withForce(error: AssayError, words: readonly string[]): AssayError {
  const remedy = "Choose another name, or replace the one that is there:"
  const context = { ...error.context, remedy, command: [...words, "--force"] }
  return new AssayError(error.code, error.message, { context, cause: error })
}

/** Parses `name` or `workspace/name`. @throws `bad_usage` */
function parseName(context: Context, kind: ConfigurationKind, written: string): [workspace: string, name: string] {
  const [, workspace = defaultWorkspace(context), name] = /^(?:([^/]+)\/)?([^/]+)$/s.exec(written) ?? []
  if (name !== undefined) return [workspace, name]
  throw new AssayError(
    "bad_usage",
    `'${written}' names nothing that '${kind}' stores: write it like strict or research/strict.`,
  )
}
