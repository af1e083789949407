// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Mishaps
/// @notice Everything that can go wrong, on purpose: one function for each way in which a call fails.
contract Mishaps {
    /// @notice The candle is `length` long, too short for a night of `hoursNeeded`.
    error CandleTooShort(uint256 length, uint256 hoursNeeded);

    uint256[] private _matches;
    uint256 private _soot;

    /// @notice Fails with a message.
    function withMessage() external pure {
        require(false, "the wind blew the candle out");
    }

    /// @notice Fails with a custom error.
    function withCustomError(uint256 length) external pure {
        revert CandleTooShort(length, 12);
    }

    /// @notice Fails with a panic: there is no such element.
    function withPanic() external view returns (uint256) {
        return _matches[_matches.length];
    }

    /// @notice Fails with a panic: division by zero.
    function withDivision(uint256 candles) external view returns (uint256) {
        return candles / _matches.length;
    }

    /// @notice Fails without a word.
    function withoutReason() external pure {
        assembly ("memory-safe") {
            revert(0, 0)
        }
    }

    /// @notice Burns all gas.
    function outOfGas() external {
        while (true) _soot++;
    }

    /// @notice Succeeds although a call inside of it fails.
    function recover() external returns (string memory reason) {
        try this.withMessage() {
            return "";
        } catch Error(string memory message) {
            _soot++;
            return message;
        }
    }
}
