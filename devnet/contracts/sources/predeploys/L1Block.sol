// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The rollup's view of its L1
/// @notice What the chain knows about the L1 block it follows, and the parameters of the fees. The first transaction of
/// every block, a deposit from the depositor account, brings it up to date.
/// @dev Nodes read these slots directly to compute fees: the order and the width of the variables must not change.
contract L1Block {
    /// @notice Only the depositor account writes here.
    error NotDepositor();

    /// @notice The account that the attributes deposit comes from.
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    // Slot 0
    uint64 public number;
    uint64 public timestamp;
    // Slots 1 and 2
    uint256 public basefee;
    bytes32 public hash;
    // Slot 3
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    // Slots 4 to 7
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    // Slot 8
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
    uint16 public daFootprintGasScalar;

    modifier onlyDepositor() {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        _;
    }

    /// @notice The attributes of Ecotone: 160 bytes after the selector, packed and not ABI-encoded.
    function setL1BlockValuesEcotone() external onlyDepositor {
        _setEcotone();
    }

    /// @notice The attributes of Isthmus: those of Ecotone and the operator fee, 172 bytes.
    function setL1BlockValuesIsthmus() external onlyDepositor {
        _setEcotone();
        _setOperatorFee();
    }

    /// @notice The attributes of Jovian: those of Isthmus and the weight of data in the gas limit, 174 bytes.
    function setL1BlockValuesJovian() external onlyDepositor {
        _setEcotone();
        _setOperatorFee();
        daFootprintGasScalar = uint16(bytes2(msg.data[176:178]));
    }

    /// @notice Fees on this chain are paid in Ether.
    function gasPayingToken() external pure returns (address token, uint8 decimals) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    function gasPayingTokenName() external pure returns (string memory) {
        return "Ether";
    }

    function gasPayingTokenSymbol() external pure returns (string memory) {
        return "ETH";
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }

    /// @notice The version of the interface that this contract follows.
    function version() external pure returns (string memory) {
        return "1.7.0";
    }

    function _setEcotone() private {
        baseFeeScalar = uint32(bytes4(msg.data[4:8]));
        blobBaseFeeScalar = uint32(bytes4(msg.data[8:12]));
        sequenceNumber = uint64(bytes8(msg.data[12:20]));
        timestamp = uint64(bytes8(msg.data[20:28]));
        number = uint64(bytes8(msg.data[28:36]));
        basefee = uint256(bytes32(msg.data[36:68]));
        blobBaseFee = uint256(bytes32(msg.data[68:100]));
        hash = bytes32(msg.data[100:132]);
        batcherHash = bytes32(msg.data[132:164]);
    }

    function _setOperatorFee() private {
        operatorFeeScalar = uint32(bytes4(msg.data[164:168]));
        operatorFeeConstant = uint64(bytes8(msg.data[168:176]));
    }
}
