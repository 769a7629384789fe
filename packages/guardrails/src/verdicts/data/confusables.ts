/** Characters that look like a Latin letter and stay what they are under NFKC, each list behind the letter. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: "аαɑᴀ",
  b: "вьʙ",
  c: "сϲᴄ",
  d: "ԁᴅ",
  e: "еєɛᴇ",
  f: "ꜰƒғ",
  g: "ɡɢ",
  h: "һнʜ",
  i: "іιıɪ",
  k: "кκᴋ",
  l: "ӏʟ",
  m: "мᴍ",
  n: "пոɴη",
  o: "оοᴏσ",
  p: "рρᴘ",
  r: "гʀ",
  s: "ѕꜱ",
  t: "тτᴛ",
  u: "υцսᴜμ",
  v: "νѵᴠ",
  x: "хχ",
  y: "уγʏүў",
}

/** Digits and signs that stand for a letter inside a word. */
export const LETTER_SIGNS: Readonly<Record<string, string>> = { "@": "a", 4: "a", 3: "e", 0: "o", 5: "s", $: "s" }

/** What a reader takes a character for, in lower case. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
)
