import { edit, fail, read, run, say, type Tale } from './tale.ts';

const INDEXER = `pub fn index_folder(root: &Path, store: &mut Store) -> Result<Stats> {
    let mut stats = Stats::default();
    for entry in WalkDir::new(root).into_iter().filter_map(|e| e.ok()) {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        for token in tokenize(&text) {
            store.insert(token.to_string(), entry.path().to_path_buf())?;
            stats.tokens += 1;
        }
        store.commit()?;
    }
    Ok(stats)
}`;

/** An indexer in Rust that takes twenty minutes. */
export const slowIndex: Tale = {
  cwd: '/work/quill',
  turns: [
    {
      asks: 'Indexing the handbook (6,200 files) takes 20 minutes. I want it under one. No unsafe code, and the index format on disk must stay readable by version 0.9.',
      steps: [
        read('src/indexer.rs', INDEXER),
        run(
          'cargo flamegraph --bin quill -- index ../handbook 2>&1 | tail -4',
          `store::Store::commit                71.4 %  (fsync)
alloc::string::String::from         11.9 %
indexer::tokenize                    9.2 %
walkdir::IntoIter::next              1.1 %`,
        ),
        say('store.commit() after every file is 71 % of the time: 6,200 fsyncs. The rest is a String for every token.'),
        edit(
          'src/indexer.rs',
          '        store.commit()?;\n    }',
          '        if stats.files % COMMIT_EVERY == 0 { store.commit()?; }\n    }\n    store.commit()?;',
        ),
        edit(
          'src/indexer.rs',
          'store.insert(token.to_string(), entry.path().to_path_buf())?;',
          'store.insert(interner.intern(token), file_id)?;',
        ),
        fail(
          'cargo test',
          `test store::tests::reads_what_0_9_wrote ... FAILED
thread panicked at src/store.rs:141: unknown record kind 0x07
test result: FAILED. 88 passed; 1 failed`,
        ),
        say(
          'The interner wrote records of kind 0x07, which 0.9 does not know. File ids stay in memory; on disk each record has the whole path again, as before.',
        ),
        edit(
          'src/store.rs',
          'self.write_record(0x07, &file_id.to_le_bytes())',
          'self.write_record(KIND_POSTING, paths.resolve(file_id).as_bytes())',
        ),
        run('cargo test', 'test result: ok. 89 passed; 0 failed'),
        run('hyperfine --runs 3 "target/release/quill index ../handbook"', 'Time (mean ± σ):     41.870 s ±  0.612 s'),
      ],
    },
    {
      asks: 'Great, 42 seconds. Does it still recover when I kill it in the middle?',
      steps: [
        run(
          'for i in 1 2 3; do timeout -s KILL 15 target/release/quill index ../handbook; target/release/quill check; done',
          `check: 2048 files, 0 torn records
check: 2048 files, 0 torn records
check: 2112 files, 1 torn record at offset 88412160
`,
        ),
        say(
          'One torn record of three kills: the log is cut at a record that was half written. replay_log() stops there with an error instead of dropping the tail.',
        ),
        edit(
          'src/store.rs',
          'Err(e) => return Err(e.into()),',
          'Err(ReadError::Torn { offset }) => { self.log.set_len(offset)?; break; }',
        ),
        run('scripts/kill-test.sh 50', '50 kills, 50 recovered, 0 files lost before the last commit'),
      ],
    },
    {
      asks: 'Then bump it to 0.10.0 and write the changelog entry. Do not publish.',
      steps: [edit('Cargo.toml', 'version = "0.9.4"', 'version = "0.10.0"')],
    },
  ],
};
