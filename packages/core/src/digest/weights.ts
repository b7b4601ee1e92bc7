/** What each feature of a line is worth, in the order of their names. Made by `npm run bench -- learn`. */
export const weights: readonly number[] = [
  -0.647, // bias
  0.5135, // said
  -0.03, // wrote
  0.9933, // ran
  -0.1056, // called
  -0.1337, // read
  -0.552, // printed
  0.513, // found
  -0.266, // charsSince
  -0.1452, // shareBefore
  0.1662, // times
  -0.2249, // messages
  0.5673, // phraseSeen
  -0.1745, // wordsBeside
  0.7659, // wordsOfModel
  0.7937, // wordsOfUser
  -0.3595, // declares
  -0.1912, // imports
  -0.229, // heading
  -0.0141, // error
  -0.1786, // assigns
  0.0214, // length
  -0.015, // indent
  -0.1587, // fileEdits
  -0.2586, // fileBeside
  0.0543, // digits
  -0.1569, // comment
  -1.1555, // fewPhrases
  -0.0243, // shared
  -0.203, // shownAgain
  -0.0464, // fileAge
  0.6755, // wordsOfTodo
];
