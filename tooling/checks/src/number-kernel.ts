import { readFileSync } from "node:fs"
import { join } from "node:path"
import openWabt from "wabt"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

const FOLDER = join(REPOSITORY_ROOT, "packages/json/src")
/** The module that is compiled from number-kernel.wat. */
export const NUMBER_KERNEL = join(FOLDER, "number-kernel.ts")

/** Formats the source of the module: WebAssembly in base64, which every bundler and runtime accepts. */
export async function formatNumberKernel(): Promise<string> {
  const wabt = await openWabt()
  const parsed = wabt.parseWat("number-kernel.wat", readFileSync(join(FOLDER, "number-kernel.wat"), "utf8"), {
    simd: true,
  })
  try {
    parsed.validate()
    const base64 = Buffer.from(parsed.toBinary({}).buffer).toString("base64")
    const lines = base64.match(/.{1,110}/g) ?? []
    return `/** The WebAssembly of number-kernel.wat in base64. Made by \`pnpm --filter @assay/checks kernel\`. */
export const KERNEL = [
${lines.map((line) => `  "${line}",`).join("\n")}
].join("")
`
  } finally {
    parsed.destroy()
  }
}
