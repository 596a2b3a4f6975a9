// Write the word lists of given names, family names and places that the tagger
// of captions uses, from the MIT-licensed npm package @faker-js/faker.
//
//   npm install @faker-js/faker@10.6.0 && node name_lists.mjs FOLDER
//
// Only words in Latin letters are kept, each with and without its accents.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {allLocales} from '@faker-js/faker';

// Words that are not names, though the package has them.
const wrong = new Set(['judge', 'the']);
const latin = /^\p{Lu}[\p{Script=Latin}\p{M}'’-]+$/u;
const lists = {given_female: new Set(), given_male: new Set(),
               family: new Set(), place: new Set()};

function bare(word) {
  return word.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function add(set, texts) {
  for (const text of texts ?? [])
    for (const part of text.split(/[\s,()/]+/)) {
      const word = part.normalize('NFC');
      if (!latin.test(word) || wrong.has(word.toLowerCase()))
        continue;
      set.add(word.toLowerCase());
      set.add(bare(word).toLowerCase());
    }
}

for (const {person = {}, location = {}} of Object.values(allLocales)) {
  const given = person.first_name ?? {}, family = person.last_name ?? {};
  add(lists.given_female, given.female);
  add(lists.given_female, given.generic);
  add(lists.given_male, given.male);
  add(lists.given_male, given.generic);
  for (const kind of ['generic', 'female', 'male'])
    add(lists.family, family[kind]);
}
for (const name of ['en', 'en_AU', 'en_CA', 'en_GB', 'en_GH', 'en_IN', 'en_NG',
                    'en_ZA', 'de', 'de_AT', 'de_CH', 'fr', 'es', 'es_MX',
                    'it', 'pl', 'pt_PT']) {
  const {city_name = [], country = [], state = []} =
      allLocales[name].location ?? {};
  for (const texts of [city_name, country, state])
    add(lists.place, texts.filter((t) => !t.includes(' ')));
}
for (const [name, words] of Object.entries(lists))
  writeFileSync(join(process.argv[2], name + '.faker.txt'),
                [...words].sort().join('\n') + '\n');
