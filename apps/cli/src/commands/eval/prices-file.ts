import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"

/** Returns the absolute path of the file with prices that `--prices` or ASSAY_PRICES_FILE names. */
export function pricesFileOf({ env, cwd }: Context, given: string | undefined): string | undefined {
  const name = given ?? env["ASSAY_PRICES_FILE"]
  return name === undefined || name === "" ? undefined : resolve(cwd, name)
}

/** @throws `bad_usage` if prices are given for a job that a server runs */
export function checkNoPrices(given: string | undefined): void {
  if (given === undefined) return
  const message =
    "--prices is for jobs that run on this machine: a server has its own prices, from the file that its setting ASSAY_PRICES_FILE names."
  throw new AssayError("bad_usage", message)
}
