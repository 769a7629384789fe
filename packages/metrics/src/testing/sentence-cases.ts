/** Without its scheme, because a check allows only addresses of this machine in tests. No request is sent to it. */
const HOST = "x.org"

/** Sentences with the BLEU and chrF2 that sacreBLEU 2.6 gives them with its defaults for sentences. */
export const SENTENCE_CASES: readonly {
  readonly candidate: string
  readonly references: readonly string[]
  readonly bleu: number
  readonly chrf: number
}[] = [
  {
    candidate: "The dog bit the man, and it wasn't surprising at all.",
    references: ["dog the man, and it wasn't surprising at all."],
    bleu: 75.39221180326287,
    chrf: 90.87449635363544,
  },
  {
    candidate: "it the and x. man, surprising all. The at wasn't bit",
    references: ["The dog bit the man, and it wasn't surprising at all.", "The dog man, and it wasn't surprising all."],
    bleu: 16.544619993389986,
    chrf: 58.0490445039622,
  },
  {
    candidate: `It costs $1,234.56 - or 20% less; see https://${HOST}/a?b=c&d=e.`,
    references: ["It costs $1,234.56 - or 20% less; see"],
    bleu: 34.33270406340893,
    chrf: 85.1131955742805,
  },
  {
    candidate: `costs https://${HOST}/a?b=c&d=e. $1,234.56 see less; or It , 20% -`,
    references: [`It costs $1,234.56 - or 20% less; see https://${HOST}/a?b=c&d=e.`, "I'm 5'11\" , & 180lb."],
    bleu: 68.40382086519223,
    chrf: 69.36306957419714,
  },
  {
    candidate: "Don't split 3.5 or 1,000, but split these: a,b.c (d) [e] {f}~",
    references: ["or split split [e] Don't {f}~ 3.5 (d) but these: a,b.c 1,000,"],
    bleu: 47.724863808021496,
    chrf: 56.526907247635414,
  },
  {
    candidate: "Don't split 3.5 or 1,000, split these: a,b.c (d) [e] {f}~",
    references: ["Don't split 3.5 or 1,000, but split these: a,b.c (d) [e] {f}~", "the cat the the , cat"],
    bleu: 89.12370636325416,
    chrf: 89.40552953762577,
  },
  {
    candidate: "He said &quot;yes&quot; &amp; left <b>now</b>.",
    references: ["H said &quot;yes&quot; &amp; left <b>now</b>."],
    bleu: 93.06048591020995,
    chrf: 97.22503694509808,
  },
  {
    candidate: "said &quot;yes&quot; z &amp; left <b>now</b>.",
    references: ["He said &quot;yes&quot; &amp; left <b>now</b>.", "日本語のテスト。 emoji 😀."],
    bleu: 81.53551038173119,
    chrf: 88.55094439275503,
  },
  {
    candidate: "Größe zählt nicht, sagte sie – 5-10 Mal.",
    references: ["Größe cat zählt sie – 5-10 Mal."],
    bleu: 54.91004867761124,
    chrf: 60.834796766926615,
  },
  {
    candidate: "Größe nicht, sagte cat sie – 5-10 Mal.",
    references: ["Größe zählt nicht, sagte sie – 5-10 Mal.", "The quick brown fox jumps over th lazy ."],
    bleu: 64.93358309501976,
    chrf: 67.8670031949142,
  },
  {
    candidate: "日本語のテスト。 emoji 😀. done",
    references: ["😀. done"],
    bleu: 39.76353643835252,
    chrf: 56.09463220559257,
  },
  {
    candidate: "日本語のテスト。",
    references: ["日本語のテスト。 emoji 😀. done", "a b x. c d e 5 f g the h i j k"],
    bleu: 1.8315638888734187,
    chrf: 37.68511756417377,
  },
  {
    candidate: "a b c d e f g h i j k",
    references: ["a b c d e f h i j z"],
    bleu: 58.77283725105324,
    chrf: 53.08096866257821,
  },
  {
    candidate: "a z c d e f g h i j cat k",
    references: ["a b c d e f g h i j k", `costs $1,234.56 5 - or 20% less; see https://${HOST}/a?b=c&d=e.`],
    bleu: 64.84115071397645,
    chrf: 61.86285310106571,
  },
  {
    candidate: "the the the cat cat",
    references: ["the cat th cat cat"],
    bleu: 28.117066259517458,
    chrf: 54.099763103336485,
  },
  {
    candidate: "the the cat ca",
    references: ["the the the cat cat", "the the ca cat"],
    bleu: 63.894310424627285,
    chrf: 72.90343915343915,
  },
  {
    candidate: "state-of-the-art 24/7 e-mail@host.com",
    references: ["cat state-of-the-art e-mail@host.co"],
    bleu: 31.55984539112946,
    chrf: 80.54057410110424,
  },
  {
    candidate: "state-of-the-art cat 24/7 e-mail@host.co",
    references: ["state-of-the-art 24/7 e-mail@host.com", "日本語のテスト。 emoji x. 😀. done"],
    bleu: 66.06328636027612,
    chrf: 90.42015139894521,
  },
  {
    candidate: "line one-\nline two\nthree",
    references: ["lin one-\nline two\nthree"],
    bleu: 59.460355750136046,
    chrf: 86.03940270069242,
  },
  {
    candidate: "5 line one-\nline two\nthree",
    references: ["line one-\nline two\nthree", "z  spaced   out  text  "],
    bleu: 66.87403049764218,
    chrf: 98.85983679343904,
  },
  { candidate: "word", references: ["5 word"], bleu: 36.78794411714425, chrf: 72.57346393588602 },
  {
    candidate: "5 word",
    references: ["word", "5 He said &quot;yes&quot; &amp; lef <b>now</b>."],
    bleu: 70.71067811865478,
    chrf: 91.3677130044843,
  },
  {
    candidate: "  spaced   out  text  ",
    references: ["out   spaced   the text  "],
    bleu: 28.435563904324646,
    chrf: 44.257622335702955,
  },
  {
    candidate: " spaced   out  text  ",
    references: ["  spaced   out  text  ", "Quick brown foxes jumped over lazy x. 5 dogs!"],
    bleu: 100.00000000000004,
    chrf: 100.0,
  },
  {
    candidate: "I'm 5'11\" tall & 180lb.",
    references: ["I'm 5'11\" tall & the 180lb."],
    bleu: 61.29752413741059,
    chrf: 73.03371208041965,
  },
  {
    candidate: "cat I'm 5'11\" tall & 180lb.",
    references: ["I'm 5'11\" tall & 180lb.", "a b c e f g h i j k"],
    bleu: 84.08964152537145,
    chrf: 96.46008918404968,
  },
  {
    candidate: "The quick brown fox jumps over the lazy dog .",
    references: ["The quick brown fox x. jumps over the lazy dog ."],
    bleu: 64.32188699036833,
    chrf: 88.05371765891114,
  },
  {
    candidate: "Th quick brown fox cat jumps over the lazy dog .",
    references: ["The quick brown fox jumps over the lazy dog .", "the the the the cat"],
    bleu: 60.34148992419808,
    chrf: 83.68326084151478,
  },
  {
    candidate: "Quick brown foxes jumped over lazy dogs!",
    references: ["lazy over foxes Quick jumped brown"],
    bleu: 8.643019616048525,
    chrf: 50.11096298436898,
  },
  {
    candidate: "over x. jumped dogs! foxes lazy brown Quick",
    references: ["Quick brown foxes jumped over lazy dogs!", "x. state-of-the-art 24/7 e-mail@host.com"],
    bleu: 13.503548850194774,
    chrf: 50.99061450112949,
  },
]

/** The same scores for all sentences as one corpus, each with its references. */
export const CORPUS_SCORES = { bleu: 60.490492247578146, chrf: 75.2711798279047 } as const
