/** Returns the words for a month such as `2026-03`. */
export function monthName(month: string, style: "short" | "long"): string {
  const moment = new Date(`${month}-01T00:00:00Z`)
  const format = style === "long" ? ({ month: "long", year: "numeric" } as const) : ({ month: "short" } as const)
  return moment.toLocaleString("en", { ...format, timeZone: "UTC" })
}
