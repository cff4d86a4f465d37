/**
 * How expressions are spelled, and items with odd names and values. Nothing here says what comes of them: n8n does.
 * `plain` are those that are to be read without n8n wherever the value is plain.
 */
const names = [
	...'phone,Phone,x y,größe,Telefon Numarası,電話,x.y,x-y,0,1st, ,,Phone (mobile),Tel.No'.split(
		',',
	),
	...["it's", 'say "hi"'],
	...'a`b,a/b,a=b,a{b}c,{{,$x,$json,#,é\u0301,class,default,new,name,type,null,undefined'.split(
		',',
	),
	...'NaN,first,isEmpty,then,data,json,_x,__x,a1,A_B,ſ,😀,toJSON,item,binary,error,id'.split(','),
	...'async,await,let,of,__sanitize,___n8n_data,E,v,extend,DateTime,Object,require,eval'.split(','),
	...'Function,document'.split(','),
];
/** Names that n8n refuses, takes for something else, or that everything has. */
const namesOfN8n = [
	...'constructor,prototype,__proto__,toString,valueOf,hasOwnProperty,length,caller'.split(','),
	...'arguments,window,global,globalThis,this,self,process,isProxy,__defineGetter__'.split(','),
	...'binding,_load,mainModule,getPrototypeOf,execve,callee,prepareStackTrace'.split(','),
	'defineProperty',
];

const bracket = (name) =>
	name.includes('"') ? (name.includes("'") ? undefined : `['${name}']`) : `["${name}"]`;
const isWord = (name) => /^[A-Za-z_]\w*$/.test(name);

const plain = [
	...names.map((name) => `={{ $json${bracket(name)} }}`),
	...names.filter(isWord).map((name) => `={{ $json.${name} }}`),
	'={{  $json.phone  }}',
	'={{\n\t$json.phone\r\n}}',
	'={{ $json[\'say "hi"\'] }}',
	'={{ $json["nested"].name }}',
	'={{ $json["nested"]["a b"]["c d"] }}',
	"={{ $json['nested']['deep'].deeper.deepest }}",
	'={{ $json.missing }}',
	'=',
	'=text',
	'= {{ $json.phone }}',
	'={{ $json.phone }} ',
	'=Hello {{ $json.name }}, you are {{ $json.number }} and {{ $json.yes }}',
	'={{ $json.name }}{{ $json.number }}',
	'={"name": "{{ $json.name }}", "n": {{ $json.number }}}',
	'={{ $json.name }}}',
	'=}} {{ $json.name }}',
	'=line\nbreak {{ $json.name }}\r\n\ttab \u2028 \u0000 end',
	'="quoted" \'and\' `ticked` ${ {{ $json.name }} }',
	'=={{ $json.name }}',
	'=// {{ $json.name }}',
	'=a.b.c {{ $json.name }} (x)',
];

const leftToN8n = [
	...namesOfN8n.map((name) => `={{ $json["${name}"] }}`),
	...namesOfN8n.map((name) => `={{ $json.${name} }}`),
	...namesOfN8n.map((name) => `=text {{ $json["${name}"] }}`),
	'={{ $json["a}}b"] }}',
	'={{ $json["a\\"b"] }}',
	"={{ $json['it\\'s'] }}",
	'={{ $json[`phone`] }}',
	'={{ $json["list"][0] }}',
	'={{ $json.name.length }}',
	'={{ $json }}',
	'=x {{ $json }}',
	'={{ $json. phone }}',
	'={{ $json["x" + " y"] }}',
	'={{ $json.nested?.name }}',
	'={{ $json.größe }}',
	'={{ $json.$x }}',
	'={{ $json.phone; }}',
	'={{ $json.phone // phone }}',
	'={{ ($json.phone) }}',
	'={{ $json.number + 1 }}',
	'={{ $json.phone }',
	'={{ }}',
	'={{ $jsonx.phone }}',
	'={{ $("Items").item.json.phone }}',
	'={{ $itemIndex }}',
	'={{ "{{" }}{{ $json.phone }}',
	'=a \\ b {{ $json.name }}',
	'=a \\\\{{ $json.name }}',
	'=see x.constructor {{ $json.name }}',
	'=$if(1) {{ $json.name }}',
	'=a.first (x) {{ $json.name }}',
	'=-{{ $json.name }}-{{ $json.name.toUpperCase() }}',
];

/** Items as nodes leave them in memory: most of these values do not survive JSON. */
function items() {
	class Thing {
		phone = 'of a thing';
		name = 'thing';
	}
	const bare = Object.assign(Object.create(null), { phone: 'bare', nested: { name: 'n' } });
	const inherited = Object.assign(Object.create({ phone: 'inherited' }), { name: 'own' });
	const proto = JSON.parse('{"__proto__": "own", "phone": "p", "constructor": "c", "length": 3}');
	const values = {
		text: 'text',
		empty: '',
		odd: 'a "quote", \'tick\', \\ back, {{ $json.name }}, ${x}, \u0000, \u2028, \ud800, 😀, \r\n',
		equals: '={{ $json.phone }}',
		zero: 0,
		negativeZero: -0,
		number: 41.5,
		small: 1e-7,
		most: Number.MAX_SAFE_INTEGER + 2,
		notANumber: NaN,
		yes: true,
		no: false,
		nothing: null,
		absent: undefined,
		object: { a: 1 },
		list: ['a', null, 2],
		emptyList: [],
		date: new Date(0),
		thing: new Thing(),
		map: new Map([['a', 1]]),
		call: () => 'called',
		error: new TypeError('an error'),
		buffer: Buffer.from('abc'),
		bigint: 12n,
		boxed: Object('boxed'),
	};
	/** Every name with one value, with the names that n8n keeps for itself; nested as well. */
	const everywhere = (value) => ({
		...Object.fromEntries([...names, ...namesOfN8n].map((name) => [name, value])),
		nested: { name: value, 'a b': { 'c d': value }, deep: { deeper: { deepest: value } } },
		number: value,
		yes: value,
		list: value,
		'a}}b': value,
		'a"b': value,
	});
	return [
		{},
		{
			...values,
			phone: '+14155550123',
			name: 'Anna',
			nested: { name: 'n', 'a b': { 'c d': 'cd' } },
		},
		...Object.values(values).map(everywhere),
		...Object.values(values).map((value) => ({ nested: value })),
		{ nested: { deep: null, 'a b': 'text' } },
		new Thing(),
		bare,
		inherited,
		proto,
		{ nested: proto },
		{ nested: bare },
		{ nested: inherited },
		{ nested: new Thing() },
		Object.defineProperty({ name: 'n' }, 'phone', { get: () => 'got', enumerable: true }),
		Object.defineProperty({ name: 'n' }, 'phone', { value: 'hidden', enumerable: false }),
		Object.freeze({ phone: 'frozen', nested: Object.freeze({ name: 'frozen' }) }),
	];
}

/** Parameters of several levels, each with expressions. */
const composed = [
	{ __rl: true, mode: 'id', value: '={{ $json.phone }}' },
	{ __rl: true, mode: 'list', value: 'fixed', cachedResultName: '=not {{ $json.name }}' },
	{
		mappingMode: 'defineBelow',
		value: { 'x y': '={{ $json["x y"] }}', b: null, c: 3 },
		schema: [{ id: 'x y' }],
	},
	{
		values: [
			{ key: 'a', value: '={{ $json.name }}' },
			{ key: '=b {{ $json.number }}', value: true },
		],
	},
	{ a: { b: { c: ['={{ $json.phone }}', 'd', 5, null, false, ['={{ $json.missing }}']] } } },
	{ one: '={{ $json.phone }}', other: '={{ $json.phone.toUpperCase() }}' },
	{ '={{ $json.phone }}': 'a name that looks like one' },
	['={{ $json.phone }}'],
	[],
	null,
	' ={{ $json.phone }}',
];

module.exports = { plain, leftToN8n, composed, items };
