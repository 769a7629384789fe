import type { Context } from "../../context.ts"
import { formatTable } from "@assay/reports/terminal"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** Runs `assay config`. */
export async function config(context: Context, options: JsonOption): Promise<void> {
  const { env, cwd } = context
  const { describeSettings, loadSettings } = await import("@assay/server")
  const loaded = loadSettings({ env, cwd })
  const settings = describeSettings(loaded)
  const { unknown } = loaded
  await print(context, options, { settings, unknown }, (_result, layout) => {
    const table = formatTable(
      settings,
      [
        { heading: "SETTING", value: ({ name }) => name },
        { heading: "VALUE", value: ({ value }) => formatValue(value) },
        { heading: "FROM", value: ({ from }) => from },
      ],
      layout,
    )
    return table + unknown.map((name) => `${name} is not a setting of this version and has no effect\n`).join("")
  })
}

function formatValue(value: unknown): string {
  if (value === null) return "-"
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Returns the environment with `--data-dir` as the setting of the data folder. */
export function withDataDir(env: Context["env"], dataDir: string | undefined): NodeJS.ProcessEnv {
  return dataDir === undefined ? { ...env } : { ...env, ASSAY_DATA_DIR: dataDir }
}
