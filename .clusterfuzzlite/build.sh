#!/bin/bash -eu
# Builds every fuzz target for ClusterFuzzLite, with seeds, dictionary and options.

cd "$SRC/agui-conform"

# The seeds need no instrumentation.
RUSTFLAGS="" cargo run --quiet --package xtask -- fuzz --seeds
cargo fuzz build -O --debug-assertions

for source in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$source" .rs)
  cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
  cp fuzz/agui.dict "$OUT/$target.dict"
  cp fuzz/fuzz.options "$OUT/$target.options"
  zip -jqr "$OUT/${target}_seed_corpus.zip" "fuzz/corpus/$target"
done
