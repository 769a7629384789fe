import type { Context } from "../../context.ts"

/** The token file that the settings of this folder name. @throws `bad_settings` */
export async function findTokensFile({ env, cwd }: Context): Promise<string> {
  const { loadSettings, tokensFile } = await import("@assay/server")
  return tokensFile(loadSettings({ env, cwd }).settings, cwd)
}
