import { messageOf } from "@assay/schemas"

/** The result of one check of `assay doctor`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** Runs a check. The finding is good with the text that it returns, or bad with the message of its error. */
export async function runCheck(name: string, check: () => Promise<string | Omit<Finding, "name">>): Promise<Finding> {
  try {
    const found = await check()
    return { name, ...(typeof found === "string" ? { ok: true, detail: found } : found) }
  } catch (error) {
    return { name, ok: false, detail: messageOf(error) }
  }
}
