// The accounts that a new devnet funds. Their keys are public knowledge: never send anything of value to them.
// Both tables come from the well-known test mnemonic; a test derives them again.

import type { Hex } from '../../src/chain/bytes/hex.ts'

export type KeyedAccount = { readonly address: Hex; readonly key: Hex }

export const TEST_MNEMONIC = 'test test test test test test test test test test test junk'

/** For developers: `m/44'/60'/0'/0/i`. The devnet does not use them, so their nonces do not change by themselves. */
export const developers: readonly KeyedAccount[] = [
  {
    address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    key: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  {
    address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    key: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  {
    address: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    key: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
  {
    address: '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
    key: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  },
  {
    address: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
    key: '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  },
  {
    address: '0x976ea74026e726554db657fa54763abd0c3a0aa9',
    key: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  },
  {
    address: '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
    key: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  },
  {
    address: '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
    key: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  },
  {
    address: '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
    key: '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
  },
]

/** For the simulated traffic: `m/44'/60'/1'/0/i`. The first one deploys and owns the contracts. */
export const simulatedUsers: readonly KeyedAccount[] = [
  {
    address: '0x8c8d35429f74ec245f8ef2f4fd1e551cff97d650',
    key: '0x7797c0f3db8b946604ec2039dfd9763e4ffdc53174342a2ed9b14fa3eda666a5',
  },
  {
    address: '0x40fbbe484b8ee6139af08446950b088e10b2306a',
    key: '0xf85f544c4904b1c1bbacb64b10fbcc22ccf496f490d74e0f277017d00914eb54',
  },
  {
    address: '0x2b382887d362ccae885a421c978c7e998d3c95a6',
    key: '0x729d91ef8a9b770a6e74cb88ef82596d11633c9e6d304c4f1cb3d53b609ced4f',
  },
  {
    address: '0x9bf4bee5bfbebb3a4b7060dae40ca6fd49305d60',
    key: '0xf54902bb21ffd37f70ec26442a2b037e204455aefda6cdd0b6391110ca1eabfb',
  },
  {
    address: '0xa7580f28d5304b55594cfc1907f36d91b3d77ce5',
    key: '0x5f4873e69d20d714a9515dc3de5e343212a9714f5cafacfec828a0386373abc3',
  },
  {
    address: '0x434b1afe11ab901537048e83e21b7044c1beea27',
    key: '0xd3d638243554b12375308246b3e4a0c808ece9fcdc8c68c321962c7e8114238f',
  },
  {
    address: '0x3b0cc9b77dfa0b346da482b70cab774418c0fb00',
    key: '0xcc4b87889350d549b4b7f0c7562f6c6828b6ecb1cc7f274053f157c3733f24bf',
  },
  {
    address: '0x931d948f347c2eb3a863b8adf53d12b536960c44',
    key: '0x989f564c08561ee4c206387651404cf65147b0f1d8b4163a2753a52e108e3c17',
  },
  {
    address: '0xfdb2fabe80ce42e59c12efd16c4a8ab51a010839',
    key: '0x680c7d8d88bbafc945a282a97e02a289efb22346a9b935bf9ecaf1654f8e8feb',
  },
  {
    address: '0x5cc808d8ae48e2da52bcde251a9a4a7ffb1ba010',
    key: '0xc8df69f3fee097c528402516f649d3ee201a620a3befc770e873a238b4c53ce8',
  },
  {
    address: '0x9c6648248566f60d9c212339bd03be81e2639443',
    key: '0x29173368eb3e63889a7b6b9b2fd305c39c908158e89bbc151057304397c10f2e',
  },
  {
    address: '0xa82a22cce5c44c8ac95ab8ac78fce8dd524678b5',
    key: '0xd8759c3680398292d17d09bf9c6f01a237ff8635073c2efa3e193b5298ab6a0e',
  },
  {
    address: '0x1e604d77963bd8a21cf1d4cb7117bf9a1316fd32',
    key: '0xadc4475696f2ebdbe4e81688cff7d34e3ac8e1a0de1a180c5a2c67080c4ed0a5',
  },
  {
    address: '0xf6a60cb525181f9a8ad76afd7e6dab663fdea845',
    key: '0x1b9aa311bb5f0826f47d20597efc0c282a310824690a5e8d6e293917527e347b',
  },
  {
    address: '0x55a7b6a2f1430109b60cd579e9430f0e3bb2a6c2',
    key: '0xa8a31e167f7cc7b468814460c4c7b8c93fd6c5bc1b97e0da06c27f8c6b055ef9',
  },
  {
    address: '0xa334038102777825ca3062c256b0547f00ec39ae',
    key: '0x6dce5b377f0154490b5446650e43a68394ca2ecf5659d63ad88450219c9fb208',
  },
  {
    address: '0xdddeb397a75d771b3e07cb183248b8a7b329628a',
    key: '0xb87940e3a29d493907e709845b001e1468df69f996a791add62e09780f7c9b52',
  },
  {
    address: '0x7ea57e776396fc43016374c217bd56bca1c01400',
    key: '0x6e1be82247c12b830213ff4adaa865214d6de997e1aaeab57911e2d4c3b04bc9',
  },
  {
    address: '0x09f07ee0528a6499319b08487ab035c37bc800b1',
    key: '0xc23aae8449bad8df82ea231e6bcdd071c7a67dcd5875392d6c1cc3333fc8d0f9',
  },
  {
    address: '0xc4c855fa65a599ea3a89c6d5281d07b84c2fc86b',
    key: '0x2c91957447c4bebfce6e22fbf871ca7f0071bf95cd02c2cacebac605f34a1a59',
  },
  {
    address: '0xe94df638c62420a15014db6f3edf34e719651797',
    key: '0xabb4e7bb25d9723c74d5d610d3038e58fb4711b919a2091501203d92fb662870',
  },
  {
    address: '0xb586e47a60321a2282aa43d9387da6a40958f1e0',
    key: '0xbd7e9358cfbf92219b89f56149a90acf208434a050eecdbc7229bb02bb064401',
  },
  {
    address: '0xdb32e1dda8299c2a5e4453ba0fe04bfecb38b06a',
    key: '0x9b9c5a5d41a8b4383aee6d8ef8cb685ca2c3df8235587a82851a8f300d716cd7',
  },
  {
    address: '0x51c8c8a2f164154c52dd5a9093d086d5ef5d2644',
    key: '0x14ee74b4d8bf4cb97382ab1654b60e7eaac1d6eb738b9e8c792aa0b6b1e01ecb',
  },
  {
    address: '0x228f5acee70fc359ddd455b16fbde22f56f7ffd6',
    key: '0x02037707639f2adf2089b15c6db32f21abde644aa9d35023791a29a213bf31ee',
  },
  {
    address: '0x1fa0a404e20d40712fb49f15e350357fa56f4089',
    key: '0xf629aa95a4a573d839380a4b1c6c477b61abe8086d08852914edff818b701f97',
  },
  {
    address: '0x8839bf82092072aa15f9fddcca09cafe760f6ff7',
    key: '0x66d0f01f8cd914dd3bd4f590e0299b56bee8a5661854c9f61ed539d4fa38c9ed',
  },
  {
    address: '0x20bc3e66e68209508559843607ea95cb7eb2fd7d',
    key: '0x111b9c4b6f31b799e807fa0d32700a6e8a8ed4816baca29f62acd29ffefac739',
  },
  {
    address: '0xf1638abe9d368135a05aa3845c6db13f33466e5e',
    key: '0xdde9375cc73837633a02b876a8276e70048f75a64487fa32c0c3db19394f751b',
  },
  {
    address: '0xa691df25fa1338536c0f7dfc465c92cd4996d469',
    key: '0xd8b4819dd193a7634a83e21ea1411cbf7294e6dbe46fbc86328186f0d6c9ffb4',
  },
  {
    address: '0x7ead834efb8bd480eda54b80f4a9ad5e994bab35',
    key: '0x408a55a7c08fbae3b47e8e0b3a2b9aa056185a66e9740feb695f1d1dfb5961aa',
  },
  {
    address: '0xee34970d22bf0ca7c4e747ec002efe9f0fc65166',
    key: '0xed5742d8e6c03a47c0b12923529cb88a7720670261961e3e1fc3ecd2961e4e86',
  },
]
