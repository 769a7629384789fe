/** The result of one check of `assay doctor`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** Runs a check. Its text, or the message of its error, is the detail of the finding. */
export async function find(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, detail: await check() }
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
