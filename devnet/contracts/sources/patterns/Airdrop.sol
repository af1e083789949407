// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "../tokens/IERC20.sol";

/// @title Airdrop
/// @notice Pays many people in one transaction.
contract Airdrop {
    event Dropped(address indexed from, uint256 recipients, uint256 total);

    /// @notice As many recipients as amounts are needed.
    error LengthMismatch(uint256 recipients, uint256 amounts);

    /// @notice `sent` came with the call, `total` was given out.
    error WrongTotal(uint256 sent, uint256 total);

    /// @notice Ether could not be sent to `recipient`.
    error PaymentRefused(address recipient);

    /// @notice Sends Ether, exactly what comes with the call.
    function dropEther(address[] calldata recipients, uint256[] calldata amounts) external payable {
        uint256 total = _totalOf(recipients, amounts);
        if (msg.value != total) revert WrongTotal(msg.value, total);
        for (uint256 i = 0; i < recipients.length; i++) {
            (bool sent,) = recipients[i].call{value: amounts[i]}("");
            if (!sent) revert PaymentRefused(recipients[i]);
        }
        emit Dropped(msg.sender, recipients.length, total);
    }

    /// @notice Sends a token, out of the caller's allowance to this contract.
    function dropToken(IERC20 token, address[] calldata recipients, uint256[] calldata amounts) external {
        uint256 total = _totalOf(recipients, amounts);
        for (uint256 i = 0; i < recipients.length; i++) {
            token.transferFrom(msg.sender, recipients[i], amounts[i]);
        }
        emit Dropped(msg.sender, recipients.length, total);
    }

    function _totalOf(address[] calldata recipients, uint256[] calldata amounts) private pure returns (uint256 total) {
        if (recipients.length != amounts.length) revert LengthMismatch(recipients.length, amounts.length);
        for (uint256 i = 0; i < amounts.length; i++) total += amounts[i];
    }
}
