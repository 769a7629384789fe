/** Texts with scores of sacreBLEU 2 (chrF++, BLEU with the tokeniser `intl`) and of rouge-score (F-measure of ROUGE-Lsum without stems, first reference). */
export const OVERLAP_CASES: readonly {
  readonly candidate: string
  readonly references: readonly string[]
  readonly chrfPlusPlus: number
  readonly bleuIntl: number
  readonly rougeLsum: number
}[] = [
  {
    candidate: "naïve ÄÖa\n3,5 (hi) 1,234.5\n3,5\nend. 2020. ",
    references: ["mat.\nnaïve don't the $x sat a mat. (hi) «so» "],
    chrfPlusPlus: 17.165955315416685,
    bleuIntl: 7.6596808287682965,
    rougeLsum: 0.32,
  },
  {
    candidate: "$ sat naïvethe «so» (hi) ÄÖ €5\n",
    references: ["b $don't 3,51,234.5 x\nsat ÄÖ 𝟙 mat. 2020. "],
    chrfPlusPlus: 9.42699659994629,
    bleuIntl: 4.100530090638892,
    rougeLsum: 0.23529411764705885,
  },
  {
    candidate: "-- (hi)\n1,234.5 b\n€5 x(hi)x\n«so»\nnaïve ",
    references: ["sat don't(hi)\n«so» the\nnaïve"],
    chrfPlusPlus: 24.131479306587863,
    bleuIntl: 13.973536728747975,
    rougeLsum: 0.4,
  },
  {
    candidate: "end.1,234.5 1,234.5b 1,234.5naïve\nnaïve «so» 2020. 𝟙naïve naïve\n",
    references: ["， 1,234.5 ÄÖ -- (hi)\n1,234.5 ， ， mat. 𝟙 the\n(hi)2020."],
    chrfPlusPlus: 22.43636258397691,
    bleuIntl: 2.315472233965254,
    rougeLsum: 0.39999999999999997,
  },
  {
    candidate: "1,234.5 a (hi)\nthe don't -- mat. ",
    references: ["𝟙 $\nsat\n3,5 1,234.5a (hi)\nthe sat «so» sat ，the ", "cat\n"],
    chrfPlusPlus: 36.31779601426942,
    bleuIntl: 15.353298232904127,
    rougeLsum: 0.380952380952381,
  },
  {
    candidate: "x $\n(hi)\ncat 2020. ÄÖ bend. mat. «so»2020.\n",
    references: ["𝟙$ $ b sat-- -- sat ÄÖ b 𝟙 €5\n€5\n", "2020.\n«so»， $ (hi)𝟙 end.\nx b end. 𝟙 mat. (hi)"],
    chrfPlusPlus: 36.59121505161942,
    bleuIntl: 35.38995029906512,
    rougeLsum: 0.0,
  },
  {
    candidate: "end.\nmat. «so»naïve mat.(hi) ÄÖ $\n1,234.5 ÄÖ (hi) end. -- ",
    references: ["", "end.\n«so» 𝟙 1,234.5 b1,234.5\nnaïvex $-- don't\n"],
    chrfPlusPlus: 29.774737671082143,
    bleuIntl: 13.706146326959741,
    rougeLsum: 0,
  },
  {
    candidate: "ÄÖ «so»(hi)\n«so» end.\nmat. end. ÄÖ(hi)\n€5\n2020.end.\ndon't\n«so» ",
    references: ["3,5 x 𝟙 ab", "b\n2020. $ the\ndon't the «so» €5 the\nÄÖ x3,5 mat. $"],
    chrfPlusPlus: 25.76711885267762,
    bleuIntl: 10.133340053152827,
    rougeLsum: 0.11764705882352941,
  },
]
