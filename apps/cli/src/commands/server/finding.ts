/** What one look of the doctor found. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** A finding of what `check` answers or throws. */
export async function find(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, detail: await check() }
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
