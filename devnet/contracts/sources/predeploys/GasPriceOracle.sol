// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FastLz} from "./FastLz.sol";
import {L1Block} from "./L1Block.sol";

/// @title The oracle of fees
/// @notice Tells wallets what a transaction costs beside its gas: the L1 data fee (as of Fjord) and the operator fee.
contract GasPriceOracle {
    uint256 public constant DECIMALS = 6;

    L1Block private constant L1_BLOCK = L1Block(0x4200000000000000000000000000000000000015);

    /// @dev The size of a transaction is estimated by a line through FastLZ sizes, in millionths of a byte.
    int256 private constant COST_INTERCEPT = -42_585_600;
    int256 private constant COST_FASTLZ_COEFFICIENT = 836_500;
    int256 private constant MIN_TRANSACTION_SIZE = 100e6;

    /// @dev What a signature adds to an unsigned transaction.
    uint256 private constant SIGNATURE_BYTES = 68;

    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;

    /// @notice Whether the operator fee follows the rule of Jovian. A genesis of that fork sets it.
    bool public isJovian;

    /// @notice The L1 data fee of an unsigned, encoded transaction, in wei.
    function getL1Fee(bytes memory transaction) external view returns (uint256) {
        return _l1Fee(FastLz.compressedLength(transaction) + SIGNATURE_BYTES);
    }

    /// @notice The most that the L1 data fee of an unsigned transaction of this size can be, in wei.
    function getL1FeeUpperBound(uint256 unsignedSize) external view returns (uint256) {
        uint256 signed = unsignedSize + SIGNATURE_BYTES;
        return _l1Fee(signed + signed / 255 + 16);
    }

    /// @notice The L1 gas that an unsigned transaction is billed for.
    function getL1GasUsed(bytes memory transaction) external pure returns (uint256) {
        return _estimatedSize(FastLz.compressedLength(transaction) + SIGNATURE_BYTES) * 16 / 1e6;
    }

    /// @notice The operator fee of a transaction that uses this much gas, in wei.
    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        uint256 scaled = gasUsed * L1_BLOCK.operatorFeeScalar();
        return (isJovian ? scaled * 100 : scaled / 1e6) + L1_BLOCK.operatorFeeConstant();
    }

    /// @notice The base fee of this block.
    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    /// @notice The base fee of this block.
    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function l1BaseFee() external view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() external view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() external view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() external view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    /// @notice The version of the interface that this contract follows.
    function version() external pure returns (string memory) {
        return "1.6.0";
    }

    function _l1Fee(uint256 fastLzSize) private view returns (uint256) {
        uint256 price = uint256(L1_BLOCK.baseFeeScalar()) * L1_BLOCK.basefee() * 16
            + uint256(L1_BLOCK.blobBaseFeeScalar()) * L1_BLOCK.blobBaseFee();
        return _estimatedSize(fastLzSize) * price / 1e12;
    }

    function _estimatedSize(uint256 fastLzSize) private pure returns (uint256) {
        int256 size = COST_INTERCEPT + COST_FASTLZ_COEFFICIENT * int256(fastLzSize);
        return uint256(size < MIN_TRANSACTION_SIZE ? MIN_TRANSACTION_SIZE : size);
    }
}
