/** A moment for `strftime_now`, in its own time zone. Months and days count from 1. */
export interface TemplateDate {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ")
const MONTHS = "January February March April May June July August September October November December".split(" ")
const MS_PER_DAY = 86_400_000
const FORMAT = /%([-_0^#]?)([a-zA-Z%])/g
const pad = (value: number, width = 2) => value.toString().padStart(width, "0")

/** Formats a date as C's `strftime` does with English names. Codes that it does not know stay as they are. */
export function formatDate(format: string, date: TemplateDate): string {
  return format.replaceAll(FORMAT, (whole, flag: string, code: string) => {
    const text = textFor(code, date)
    if (text === undefined) return whole
    if (flag === "-") return text.replace(/^[0 ]+(?=\d)/, "")
    if (flag === "_") return text.replace(/^0+(?=\d)/, (zeros) => " ".repeat(zeros.length))
    return flag === "^" ? text.toUpperCase() : text
  })
}

function textFor(code: string, date: TemplateDate): string | undefined {
  const { year, month, day, hour, minute, second } = date
  const all = (format: string) => formatDate(format, date)
  const texts: Readonly<Record<string, () => string>> = {
    Y: () => year.toString(),
    C: () => pad(Math.floor(year / 100)),
    y: () => pad(year % 100),
    m: () => pad(month),
    d: () => pad(day),
    e: () => day.toString().padStart(2, " "),
    B: () => MONTHS[month - 1] ?? "",
    b: () => MONTHS[month - 1]?.slice(0, 3) ?? "",
    h: () => MONTHS[month - 1]?.slice(0, 3) ?? "",
    A: () => DAYS[weekday(date)] ?? "",
    a: () => DAYS[weekday(date)]?.slice(0, 3) ?? "",
    w: () => weekday(date).toString(),
    u: () => (weekday(date) || 7).toString(),
    j: () => pad(dayOfYear(date), 3),
    U: () => pad(Math.floor((dayOfYear(date) + 6 - weekday(date)) / 7)),
    W: () => pad(Math.floor((dayOfYear(date) + 6 - ((weekday(date) + 6) % 7)) / 7)),
    V: () => pad(isoWeek(date).week),
    G: () => isoWeek(date).year.toString(),
    g: () => pad(isoWeek(date).year % 100),
    H: () => pad(hour),
    k: () => hour.toString().padStart(2, " "),
    I: () => pad(hour % 12 || 12),
    l: () => (hour % 12 || 12).toString().padStart(2, " "),
    M: () => pad(minute),
    S: () => pad(second),
    f: () => "000000",
    p: () => (hour < 12 ? "AM" : "PM"),
    P: () => (hour < 12 ? "am" : "pm"),
    z: () => "",
    Z: () => "",
    s: () => Math.floor(Date.UTC(year, month - 1, day, hour, minute, second) / 1000).toString(),
    n: () => "\n",
    t: () => "\t",
    c: () => all("%a %b %e %H:%M:%S %Y"),
    x: () => all("%m/%d/%y"),
    X: () => all("%H:%M:%S"),
    D: () => all("%m/%d/%y"),
    F: () => all("%Y-%m-%d"),
    R: () => all("%H:%M"),
    T: () => all("%H:%M:%S"),
    r: () => all("%I:%M:%S %p"),
    "%": () => "%",
  }
  return Object.hasOwn(texts, code) ? texts[code]?.() : undefined
}

function daysOf({ year, month, day }: TemplateDate): number {
  return Date.UTC(year, month - 1, day) / MS_PER_DAY
}

function weekday(date: TemplateDate): number {
  return (daysOf(date) + 4) % 7
}

function dayOfYear(date: TemplateDate): number {
  return daysOf(date) - daysOf({ ...date, month: 1, day: 1 }) + 1
}

/** Returns the week of ISO 8601: the one that contains the Thursday, of that Thursday's year. */
function isoWeek(date: TemplateDate): { readonly year: number; readonly week: number } {
  const thursday = daysOf(date) + 3 - ((weekday(date) + 6) % 7)
  const year = new Date(thursday * MS_PER_DAY).getUTCFullYear()
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1) / MS_PER_DAY) / 7) + 1 }
}
