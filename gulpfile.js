const { src, dest, parallel, series } = require('gulp');

/** Icons that nodes and the credential name with `file:../../icons/…`. */
const icons = () => src('icons/*.svg').pipe(dest('dist/icons'));

/** Codex files (`X.node.json`, beside the node), read by n8n from beside the compiled node. */
const codex = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

/** Output previews (`__schema__`) of the compiled nodes, made from the contract. */
const previews = async () => require('./tools/previews.cjs').writePreviews();

exports.assets = series(parallel(icons, codex), previews);
exports.default = exports.assets;
