/** Characters that look like a Latin letter and stay what they are under NFKC, each list behind the letter. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: "аαɑᴀꓮᗩꭺ",
  b: "вьʙꓐᗷ",
  c: "сϲᴄꓚᑕꮯ",
  d: "ԁᴅꓓᗪꭰ",
  e: "еєɛᴇεҽꓰᗴꭼ",
  f: "ꜰƒғϝꓝᖴ",
  g: "ɡɢꓖ",
  h: "һнʜհꓧᕼꮋ",
  i: "іιıɪꓲ",
  k: "кκᴋꓗꮶ",
  l: "ӏʟꓡᒪꮮ",
  m: "мᴍꓟᗰꮇ",
  n: "пոɴηꓠᑎղ",
  o: "оοᴏσօꓳ",
  p: "рρᴘꓑᑭꮲ",
  r: "гʀꓣᖇ",
  s: "ѕꜱꓢᔕꮪ",
  t: "тτᴛꓔꭲ",
  u: "υцսᴜμʋꓴᑌ",
  v: "νѵᴠꓦᐯꮩ",
  x: "хχꓫ",
  y: "уγʏүўꓬꭹ",
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz"
/** Where alphabets begin that are white in a circle, white in a square, and those of which flags are made. */
const ENCLOSED = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6] as const

/** Digits and signs that stand for a letter inside a word. */
export const LETTER_SIGNS: Readonly<Record<string, string>> = { "@": "a", 4: "a", 3: "e", 0: "o", 5: "s", $: "s" }

/** What a reader takes a character for, in lower case. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LOOKS_LIKE).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
  ...ENCLOSED.flatMap((first) =>
    Array.from(LETTERS, (letter, at) => [String.fromCodePoint(first + at), letter] as const),
  ),
])
